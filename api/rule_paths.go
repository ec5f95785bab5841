package api

// RulePath names a rule of a vhost in a path.
type RulePath struct {
	VhostPath
	RuleID string `path:"rule_id" maxLength:"64" doc:"Id of the rule"`
}

type ruleListInput struct {
	VhostPath
	PageQuery
}

type ruleDeleteInput struct {
	RulePath
	Precondition
}

package model

import "encoding/json"

// rayRow turns a body into a row of Ray Data LLM: messages and sampling_params, with the id as a column of its own.
func rayRow(id string, body []byte) ([]byte, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	row := map[string]any{"custom_id": id, "messages": m["messages"]}
	sampling := map[string]json.RawMessage{}
	for name, v := range m {
		switch name {
		case "messages", "model", "stream", "response_format", "grammar", "top_logprobs":
		case "logprobs": // vLLM's sampling counts them
			if sampling["logprobs"] = m["top_logprobs"]; len(m["top_logprobs"]) == 0 {
				sampling["logprobs"] = json.RawMessage("1")
			}
		case MaxCompletionTokens:
			sampling[MaxTokens] = v
		default:
			sampling[name] = v
		}
	}
	var format struct {
		Schema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	}
	if raw, ok := m["response_format"]; ok && json.Unmarshal(raw, &format) == nil {
		guided, err := json.Marshal(map[string]json.RawMessage{"json": format.Schema.Schema})
		if err != nil {
			return nil, err
		}
		sampling["guided_decoding"] = guided
	}
	row["sampling_params"] = sampling
	return json.Marshal(row)
}

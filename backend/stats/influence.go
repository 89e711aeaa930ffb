package stats

// AUROCInfluence says how far each answer moves the AUROC: its influence function (Hampel, JASA 69:383, 1974), which for an AUROC is made of the
// placement values of DeLong et al. (Biometrics 44:837, 1988; for clusters Obuchowski, Biometrics 53:567, 1997). The mean of all is 0. As means
// are, so is the AUROC of very many answers given an interval by the sums over clusters. Nil with one class only.
func AUROCInfluence(score []float64, positive []bool) []float64 {
	area := AUROC(score, positive)
	if !area.Estimable {
		return nil
	}
	ups := 0.0
	for _, p := range positive {
		if p {
			ups++
		}
	}
	n := float64(len(score))
	downs := n - ups
	out := make([]float64, len(score))
	up, down := 0.0, 0.0 // below the level
	levels(score, false, func(level []int) {
		upHere, downHere := 0.0, 0.0
		for _, i := range level {
			if positive[i] {
				upHere++
			} else {
				downHere++
			}
		}
		for _, i := range level {
			if positive[i] {
				out[i] = n / ups * ((down+downHere/2)/downs - area.Value)
			} else {
				out[i] = n / downs * ((ups-up-upHere/2)/ups - area.Value)
			}
		}
		up, down = up+upHere, down+downHere
	})
	return out
}

// RiskInfluence says how far each answer moves the area under the risk–coverage curve, as AUROCInfluence does: the risk at its own confidence
// less the mean risk, and what it adds to the risk at every lower one. The mean of all is 0.
func RiskInfluence(confidence []float64, correct []bool) []float64 {
	type level struct {
		at   []int
		risk float64 // among answers at least this confident
		all  float64 // how many these are
	}
	var list []level
	all, wrong, mean := 0.0, 0.0, 0.0
	levels(confidence, true, func(at []int) {
		for _, i := range at {
			all++
			if !correct[i] {
				wrong++
			}
		}
		list = append(list, level{at, wrong / all, all})
		mean += wrong / all * float64(len(at))
	})
	mean /= all
	out := make([]float64, len(confidence))
	share, risks := 0.0, 0.0 // of the levels up to here, from the least confident: the sum of 1/all, and of risk/all
	for i := len(list) - 1; i >= 0; i-- {
		l := list[i]
		share += float64(len(l.at)) / l.all
		risks += float64(len(l.at)) * l.risk / l.all
		for _, j := range l.at {
			bad := 1.0
			if correct[j] {
				bad = 0
			}
			out[j] = l.risk - mean + bad*share - risks
		}
	}
	return out
}

// levels calls f with the places of equal scores, in order of score.
func levels(score []float64, descending bool, f func(at []int)) {
	order := byScore(score, descending)
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && score[order[j]] == score[order[i]] {
			j++
		}
		f(order[i:j])
		i = j
	}
}

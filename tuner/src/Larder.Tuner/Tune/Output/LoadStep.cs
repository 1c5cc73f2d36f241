using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>
/// A load that starts: its phase, its callers (on a schedule: the cap), channels, scheduled calls a second, pass and passes, and what a step of the rate
/// search is for.
/// </summary>
internal sealed record LoadStep(TunePhase Phase, int Callers, int Channels, double? RatePerSecond, int Pass, int Passes, RateStepKind? Kind = null);

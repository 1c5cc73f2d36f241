using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>
/// A load that is about to start. It contains the phase, the number of callers (in the open loop, the concurrency limit), the number of channels, the scheduled
/// calls per second, the pass, the number of passes, and the purpose of a step of the rate search.
/// </summary>
internal sealed record LoadStep(TunePhase Phase, int Callers, int Channels, double? RatePerSecond, int Pass, int Passes, RateStepKind? Kind = null);

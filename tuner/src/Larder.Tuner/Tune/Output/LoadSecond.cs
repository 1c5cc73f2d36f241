namespace Larder.Tuner.Tune.Output;

/// <summary>A second of a load, from an agent's progress line.</summary>
internal sealed record LoadSecond(int Second, long Requests, long Errors, double P50Us, double P99Us, double P999Us, double MaxUs);

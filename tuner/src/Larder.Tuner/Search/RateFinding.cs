namespace Larder.Tuner.Search;

/// <summary>The result of a rate search: the highest confirmed rate, with the smallest concurrency limit that sustains it.</summary>
/// <param name="RatePerSecond">The scheduled calls per second.</param>
/// <param name="Cap">The client's concurrency limit.</param>
/// <param name="BreaksAt">The lowest rate above the confirmed rate that missed the target, or null if no higher rate missed it.</param>
internal sealed record RateFinding(double RatePerSecond, int Cap, double? BreaksAt);

namespace Larder.Tuner.Search;

/// <summary>The result of a rate search: the highest confirmed rate, with the smallest concurrency limit that was confirmed at this rate.</summary>
/// <param name="RatePerSecond">The scheduled calls per second.</param>
/// <param name="Cap">The client's concurrency limit.</param>
internal sealed record RateFinding(double RatePerSecond, int Cap);

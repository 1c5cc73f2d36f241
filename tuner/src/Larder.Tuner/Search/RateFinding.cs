namespace Larder.Tuner.Search;

/// <summary>What a rate search found: the highest rate that was confirmed, with the smallest cap that carries it.</summary>
/// <param name="RatePerSecond">Calls due a second.</param>
/// <param name="Cap">The client's cap.</param>
/// <param name="BreaksAt">The lowest higher rate that did not keep the target; null where none was seen.</param>
internal sealed record RateFinding(double RatePerSecond, int Cap, double? BreaksAt);

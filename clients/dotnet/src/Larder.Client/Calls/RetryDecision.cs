namespace Larder.Client;

/// <summary>What becomes of a failed attempt: sent again after a wait, or the call's end.</summary>
internal readonly record struct RetryDecision(bool Retries, TimeSpan Wait)
{
    public static RetryDecision GiveUp => default;

    public static RetryDecision After(TimeSpan wait) => new(true, wait);
}

namespace Larder.Client;

/// <summary>The decision about a failed attempt: retry after a wait, or give up.</summary>
internal readonly record struct RetryDecision(bool Retries, TimeSpan Wait)
{
    public static RetryDecision GiveUp => default;

    public static RetryDecision After(TimeSpan wait) => new(true, wait);
}

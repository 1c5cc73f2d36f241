namespace Larder.Redis;

/// <summary>The failures of commands whose deadline has expired. Each object is created only once, because these failures can be frequent.</summary>
internal static class Timing
{
    private static readonly RedisFailure s_unsent = new(RedisFailureKind.TimedOut, NotExecuted: true, "The deadline passed before the call could be sent.");
    private static readonly RedisFailure s_sent = new(RedisFailureKind.TimedOut, NotExecuted: false, "The deadline passed before Redis responded.");

    /// <summary>Returns the failure for an expired deadline. <paramref name="notExecuted"/> is true if nothing was sent.</summary>
    public static RedisFailure Expired(bool notExecuted) => notExecuted ? s_unsent : s_sent;
}

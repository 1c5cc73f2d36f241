namespace Larder.Redis;

/// <summary>The failures of a deadline. Made once: they come in crowds.</summary>
internal static class Timing
{
    private static readonly RedisFailure s_unsent = new(RedisFailureKind.TimedOut, NotExecuted: true, "The deadline passed before the call could be sent.");
    private static readonly RedisFailure s_sent = new(RedisFailureKind.TimedOut, NotExecuted: false, "The deadline passed before the engine's answer.");

    /// <summary>The deadline passed; <paramref name="notExecuted"/> where nothing was sent.</summary>
    public static RedisFailure Expired(bool notExecuted) => notExecuted ? s_unsent : s_sent;
}

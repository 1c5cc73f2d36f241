namespace Larder.Redis;

/// <summary>
/// The meaning of an error from the engine, determined by its first word (FLEET-8). Arithmetic errors and missing permissions inside scripts have no specific
/// first word, so they are recognized by their text.
/// </summary>
/// <param name="Answer">How to handle the error.</param>
/// <param name="Kind">The kind of failure if the command fails.</param>
/// <param name="NotExecuted">Whether a plain command that failed with this error certainly changed nothing.</param>
internal readonly record struct EngineError(ErrorAnswer Answer, RedisFailureKind Kind, bool NotExecuted)
{
    /// <summary>Interprets the text of an error, without its leading '-'.</summary>
    public static EngineError Of(ReadOnlySpan<byte> text)
    {
        int space = text.IndexOf((byte)' ');
        ReadOnlySpan<byte> word = space < 0 ? text : text[..space];
        return word switch
        {
            _ when word.SequenceEqual("MOVED"u8) => new(ErrorAnswer.FollowMoved, RedisFailureKind.Unavailable, true),
            _ when word.SequenceEqual("ASK"u8) => new(ErrorAnswer.FollowAsk, RedisFailureKind.Unavailable, true),
            _ when word.SequenceEqual("NOSCRIPT"u8) => new(ErrorAnswer.SendScript, RedisFailureKind.Other, true),
            _ when word.SequenceEqual("ERR"u8) => Unnamed(space < 0 ? default : text[(space + 1)..]),
            _ when word.SequenceEqual("WRONGTYPE"u8) => Fails(RedisFailureKind.WrongType),
            _ when word.SequenceEqual("OOM"u8) => Fails(RedisFailureKind.OutOfMemory),
            _ when IsTransient(word) => new(ErrorAnswer.Retry, RedisFailureKind.Unavailable, true),
            _ when IsMasterLost(word) => new(ErrorAnswer.RetryAndRefresh, RedisFailureKind.Unavailable, true),
            _ when IsRefusingWrites(word) => Fails(RedisFailureKind.Unavailable),
            _ when IsRefusal(word) => Fails(RedisFailureKind.Refused),
            _ => new(ErrorAnswer.Fail, RedisFailureKind.Other, false),
        };
    }

    private static EngineError Fails(RedisFailureKind kind) => new(ErrorAnswer.Fail, kind, true);

    private static bool IsTransient(ReadOnlySpan<byte> word) =>
        word.SequenceEqual("LOADING"u8) || word.SequenceEqual("TRYAGAIN"u8) || word.SequenceEqual("BUSY"u8);

    private static bool IsMasterLost(ReadOnlySpan<byte> word) =>
        word.SequenceEqual("CLUSTERDOWN"u8) || word.SequenceEqual("MASTERDOWN"u8) || word.SequenceEqual("READONLY"u8);

    private static bool IsRefusingWrites(ReadOnlySpan<byte> word) => word.SequenceEqual("NOREPLICAS"u8) || word.SequenceEqual("MISCONF"u8);

    private static bool IsRefusal(ReadOnlySpan<byte> word) =>
        word.SequenceEqual("NOAUTH"u8) || word.SequenceEqual("NOPERM"u8) || word.SequenceEqual("WRONGPASS"u8);

    private static EngineError Unnamed(ReadOnlySpan<byte> text) => text switch
    {
        _ when text.StartsWith("value is not an integer"u8) || text.StartsWith("hash value is not an integer"u8)
            || text.StartsWith("value is not a valid float"u8) || text.StartsWith("hash value is not a float"u8) => Fails(RedisFailureKind.NotAnInteger),
        _ when text.StartsWith("increment or decrement would overflow"u8) || text.StartsWith("increment would produce NaN"u8)
            || text.StartsWith("resulting score is not a number"u8) =>
            Fails(RedisFailureKind.Overflow),
        _ when text.StartsWith("max number of clients reached"u8) => Fails(RedisFailureKind.Unavailable),
        // Redis 7.0 reports a missing permission inside a script in this way. Later versions report it as NOPERM.
        _ when text.StartsWith("The user executing the script can't "u8) => Fails(RedisFailureKind.Refused),
        _ => new(ErrorAnswer.Fail, RedisFailureKind.Other, false),
    };
}

namespace Larder.Redis;

/// <summary>Why a command has no answer.</summary>
/// <param name="Kind">What a caller is told is decided by it alone.</param>
/// <param name="NotExecuted">Whether it is certain that the command changed nothing. Of the engine's own errors that is so where it was no script.</param>
/// <param name="Message">For people: the engine's text, or ours. Never a password, never a key.</param>
public sealed record RedisFailure(RedisFailureKind Kind, bool NotExecuted, string Message);

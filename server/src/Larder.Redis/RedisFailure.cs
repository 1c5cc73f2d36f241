namespace Larder.Redis;

/// <summary>Why a command has no answer.</summary>
/// <param name="Kind">What a caller is told is decided by it alone.</param>
/// <param name="NotExecuted">Whether it is certain that the command changed nothing. Errors of the command's own, such as <see cref="RedisFailureKind.WrongType"/>,
/// are certain too.</param>
/// <param name="Message">For people: the engine's text, or ours. Never a password, never a key.</param>
public sealed record RedisFailure(RedisFailureKind Kind, bool NotExecuted, string Message);

namespace Larder.Redis;

/// <summary>The reason why a command failed.</summary>
/// <param name="Kind">The kind of failure. The caller must base its own error only on the kind.</param>
/// <param name="NotExecuted">Whether it is certain that the command changed nothing. For errors from the engine, this is true only if the command was
/// not a script.</param>
/// <param name="Message">A human-readable message from the engine or from this library. It never contains a password or a key.</param>
public sealed record RedisFailure(RedisFailureKind Kind, bool NotExecuted, string Message);

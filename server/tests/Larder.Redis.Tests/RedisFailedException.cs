namespace Larder.Redis.Tests;

/// <summary>A command has no answer.</summary>
internal sealed class RedisFailedException(RedisFailure failure) : Exception(failure.ToString())
{
    public RedisFailure Failure { get; } = failure;
}

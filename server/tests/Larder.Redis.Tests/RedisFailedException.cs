namespace Larder.Redis.Tests;

/// <summary>Thrown when a command fails.</summary>
internal sealed class RedisFailedException(RedisFailure failure) : Exception(failure.ToString())
{
    public RedisFailure Failure { get; } = failure;
}

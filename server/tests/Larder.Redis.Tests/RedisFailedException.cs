namespace Larder.Redis.Tests;

/// <summary>The exception that is thrown when a command fails.</summary>
internal sealed class RedisFailedException(RedisFailure failure) : Exception(failure.ToString())
{
    public RedisFailure Failure { get; } = failure;
}

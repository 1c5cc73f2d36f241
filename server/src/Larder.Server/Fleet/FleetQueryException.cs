using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The exception for a failed command that the gateway sent for its own purposes.</summary>
internal sealed class FleetQueryException(RedisFailure failure) : Exception(failure.Message)
{
    public RedisFailure Failure { get; } = failure;
}

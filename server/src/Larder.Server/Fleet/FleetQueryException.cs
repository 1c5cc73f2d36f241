using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>A command of the gateway itself failed.</summary>
internal sealed class FleetQueryException(RedisFailure failure) : Exception(failure.Message)
{
    public RedisFailure Failure { get; } = failure;
}

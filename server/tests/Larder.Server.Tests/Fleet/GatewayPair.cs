using Larder.Harness.Redis;

namespace Larder.Server.Tests.Fleet;

/// <summary>Two gateways in this process in front of one redis-server.</summary>
public abstract class GatewayPair : IAsyncLifetime, IDisposable
{
    private protected RedisServer Redis { get; } = new();

    private protected RunningServer First { get; private set; } = null!;

    private protected RunningServer Second { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        First = await RunningGateway.StartAsync(Redis.Url);
        Second = await RunningGateway.StartAsync(Redis.Url);
    }

    public async Task DisposeAsync()
    {
        await First.DisposeAsync();
        await Second.DisposeAsync();
    }

    public void Dispose()
    {
        Redis.Dispose();
        GC.SuppressFinalize(this);
    }
}

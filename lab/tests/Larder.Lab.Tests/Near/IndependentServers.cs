using Larder.Lab.Near;

namespace Larder.Lab.Tests.Near;

/// <summary>Two independent servers. The run treats them as the gateways of one fleet, so its checks must fail.</summary>
internal sealed class IndependentServers : INearServers
{
    private readonly NearMemory _one;
    private readonly NearMemory _other;

    private IndependentServers(NearMemory one, NearMemory other) => (_one, _other) = (one, other);

    public string Name => "two servers that know nothing of each other";

    public bool Forgets => true;

    public static async Task<IndependentServers> StartAsync() => new(await NearMemory.StartAsync(), await NearMemory.StartAsync());

    public IReadOnlyList<string> EndpointsOf(bool writes) => [_one.Endpoint, _other.Endpoint];

    public Task RestartAsync(int server) => throw new NotSupportedException();

    public void Pause(int server) => throw new NotSupportedException();

    public void Resume(int server) => throw new NotSupportedException();

    public async ValueTask DisposeAsync()
    {
        await _one.DisposeAsync();
        await _other.DisposeAsync();
    }
}

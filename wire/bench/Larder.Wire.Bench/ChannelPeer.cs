using Larder.Protocol;

namespace Larder.Wire.Bench;

/// <summary>
/// The peer that uses Larder's channels. There is one channel for each 50 callers, so that no channel uses more than half of the server's stream limit.
/// </summary>
internal sealed class ChannelPeer : IPeer
{
    private const int CallersPerChannel = 50;

    private static readonly RpcMethod<GetRequest, GetResponse> Get = new(
        BenchServer.GetPath,
        new ProtobufCodec<GetRequest>(),
        new ProtobufCodec<GetResponse>());
    private static readonly RpcMethod<SetRequest, SetResponse> Set = new(
        BenchServer.SetPath,
        new ProtobufCodec<SetRequest>(),
        new ProtobufCodec<SetResponse>());

    private readonly RpcHeaders _headers = new([new("cache", "cache"), new("authorization", "token")]);
    private readonly RpcChannel[] _channels;

    public ChannelPeer(Uri endpoint, int callers) =>
        _channels = [
            .. Enumerable
                .Range(0, (callers + CallersPerChannel - 1) / CallersPerChannel)
                .Select(_ => new RpcChannel(new RpcChannelOptions { Endpoint = endpoint })),
        ];

    public string Name => $"channel ({_channels.Length})";

    public ValueTask CallAsync(int caller, int number)
    {
        RpcChannel channel = _channels[caller % _channels.Length];
        return Workload.IsGet(number) ? GetAsync(channel, number) : SetAsync(channel, number);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (RpcChannel channel in _channels)
        {
            await channel.DisposeAsync();
        }
    }

    private async ValueTask GetAsync(RpcChannel channel, int number)
    {
        GetResponse response = await channel.UnaryAsync(Get, Workload.Get(number), _headers, Workload.Timeout, CancellationToken.None);
        Workload.Check(response.Value.Length == BenchServer.ValueBytes);
    }

    private async ValueTask SetAsync(RpcChannel channel, int number)
    {
        SetResponse response = await channel.UnaryAsync(Set, Workload.Set(number), _headers, Workload.Timeout, CancellationToken.None);
        Workload.Check(response.Result == CacheResult.Ok);
    }
}

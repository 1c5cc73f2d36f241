using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Calls that fault tests make while a fault is in progress.</summary>
internal static class FaultCalls
{
    public const string Get = "/cache_client.Scs/Get";
    public const string Set = "/cache_client.Scs/Set";
    public const string Increment = "/cache_client.Scs/Increment";

    public static readonly RpcMethod<GetRequest, GetResponse> GetMethod = new(Get, new ProtobufCodec<GetRequest>(), new ProtobufCodec<GetResponse>());
    public static readonly RpcMethod<SetRequest, SetResponse> SetMethod = new(Set, new ProtobufCodec<SetRequest>(), new ProtobufCodec<SetResponse>());
    public static readonly RpcMethod<IncrementRequest, IncrementResponse> IncrementMethod = new(
        Increment,
        new ProtobufCodec<IncrementRequest>(),
        new ProtobufCodec<IncrementResponse>());

    public static async Task SetAsync(this RpcChannel channel, string key, byte[] value, ulong ttlMs = 600_000) =>
        await CallAsync(channel, SetMethod, new SetRequest { Key = CallHarness.Bytes(key), Value = ByteString.CopyFrom(value), TtlMs = ttlMs });

    public static async Task<CacheResult> GetAsync(this RpcChannel channel, string key) =>
        (await CallAsync(channel, GetMethod, new GetRequest { Key = CallHarness.Bytes(key) })).Result;

    /// <summary>Sets and gets values like a normal client. Every call must succeed.</summary>
    public static async Task AssertServesAsync(this RpcChannel channel, int calls = 20)
    {
        for (int call = 0; call < calls; call++)
        {
            await channel.SetAsync($"well-behaved-{call}", [1, 2, 3]);
            Assert.Equal(CacheResult.Hit, await channel.GetAsync($"well-behaved-{call}"));
        }
    }

    /// <summary>Makes calls until <paramref name="attack"/> completes. At least one call is made, and every call must succeed.</summary>
    public static async Task AssertServesDuringAsync(this RpcChannel channel, Task attack)
    {
        do
        {
            await channel.AssertServesAsync(calls: 1);
        }
        while (!attack.IsCompleted);
        await attack;
    }

    /// <summary>
    /// Makes a call, and retries it while the server rejects it as "not executed". A server rejects a call in this way if the server process did not run for a
    /// second, because the age of the call is then unknown.
    /// </summary>
    public static async Task<TResponse> CallAsync<TRequest, TResponse>(this RpcChannel channel, RpcMethod<TRequest, TResponse> method, TRequest request)
    {
        while (true)
        {
            try
            {
                return await channel.UnaryAsync(method, request, RunningServer.CacheHeaders(), RunningServer.Patience, CancellationToken.None);
            }
            catch (RpcException error) when (error.FindTrailer(RpcException.CauseTrailer) == RpcException.NotExecutedCause)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(20));
            }
        }
    }

    /// <summary>Returns a message with its gRPC prefix, as it is sent in a DATA frame.</summary>
    public static byte[] Framed(IMessage message)
    {
        byte[] payload = message.ToByteArray();
        byte[] framed = new byte[5 + payload.Length];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(framed.AsSpan(1), payload.Length);
        payload.CopyTo(framed, 5);
        return framed;
    }
}

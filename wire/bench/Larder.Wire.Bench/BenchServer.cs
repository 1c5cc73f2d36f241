using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Wire.Bench;

/// <summary>The server for both peers. It responds with 100 bytes to a get, and with OK to a set. Messages are raw bytes.</summary>
internal static class BenchServer
{
    public const string GetPath = "/cache_client.Scs/Get";
    public const string SetPath = "/cache_client.Scs/Set";
    public const int ValueBytes = 100;

    public static async Task RunAsync()
    {
        await using RpcServer server = RpcServer.Start(MapCalls(), new RpcServerOptions());
        Console.WriteLine($"http://{server.Endpoint}");
        // The parent closes this process's input when it no longer needs the server.
        await Console.In.ReadToEndAsync();
    }

    private static RpcRouter MapCalls()
    {
        byte[] hit = new GetResponse { Result = CacheResult.Hit, Value = ByteString.CopyFrom(new byte[ValueBytes]) }.ToByteArray();
        byte[] ok = new SetResponse { Result = CacheResult.Ok }.ToByteArray();
        RpcRouter router = new(new RpcRouterOptions());
        router.MapUnary(GetPath, (_, response, _) => Write(response, hit));
        router.MapUnary(SetPath, (_, response, _) => Write(response, ok));
        return router;
    }

    private static ValueTask Write(System.Buffers.IBufferWriter<byte> response, byte[] message)
    {
        message.CopyTo(response.GetSpan(message.Length));
        response.Advance(message.Length);
        return default;
    }
}

using System.Net;
using Google.Protobuf;
using Larder.Protocol;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Larder.Wire.Bench;

/// <summary>The server of both sides: a get that answers 100 bytes and a set that answers OK, in bytes.</summary>
internal static class BenchServer
{
    public const string GetPath = "/cache_client.Scs/Get";
    public const string SetPath = "/cache_client.Scs/Set";
    public const int ValueBytes = 100;

    public static async Task RunAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            WireHostingOptions limits = new();
            kestrel.ConfigureForRpc(limits);
            kestrel.Listen(IPAddress.Loopback, 0, listen =>
            {
                listen.UseRpc();
                listen.UseConnectionGuard(limits);
            });
        });
        await using WebApplication app = builder.Build();
        app.Run(MapCalls().InvokeAsync);
        await app.StartAsync();
        Console.WriteLine(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First());
        // The parent closes this process's input when it is done.
        await Console.In.ReadToEndAsync();
        await app.StopAsync();
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

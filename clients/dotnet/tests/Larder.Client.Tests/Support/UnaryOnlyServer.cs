using System.Net;
using Larder.Wire;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Support;

/// <summary>A server of the public contract without the pipeline: gets alone, each a miss.</summary>
internal sealed class UnaryOnlyServer : IAsyncDisposable
{
    private readonly WebApplication _app;

    private UnaryOnlyServer(WebApplication app) => _app = app;

    public int Port => new Uri(_app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()).Port;

    public static async Task<UnaryOnlyServer> StartAsync()
    {
        RpcRouter router = new(new RpcRouterOptions());
        router.MapUnary("/cache_client.Scs/Get", new ProtobufCodec<Protocol.GetRequest>(), new ProtobufCodec<Protocol.GetResponse>(), static (_, _) => ValueTask.FromResult(new Protocol.GetResponse { Result = Protocol.CacheResult.Miss }));
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel =>
        {
            kestrel.ConfigureForRpc(new WireHostingOptions());
            kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.UseRpc());
        });
        WebApplication app = builder.Build();
        app.Run(router.InvokeAsync);
        await app.StartAsync();
        return new UnaryOnlyServer(app);
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();
}

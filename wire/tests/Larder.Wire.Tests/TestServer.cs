using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Larder.Wire.Tests;

/// <summary>A real Kestrel on a free port with the calls that a test maps.</summary>
internal sealed class TestServer : IAsyncDisposable
{
    private readonly WebApplication _app;

    private TestServer(WebApplication app, Uri endpoint)
    {
        _app = app;
        Endpoint = endpoint;
    }

    public Uri Endpoint { get; }

    public static async Task<TestServer> StartAsync(Action<RpcRouter> map, RpcRouterOptions? options = null, WireHostingOptions? hosting = null, int port = 0)
    {
        RpcRouter router = new(options ?? new RpcRouterOptions());
        map(router);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            WireHostingOptions limits = hosting ?? new WireHostingOptions();
            kestrel.ConfigureForRpc(limits);
            kestrel.Listen(IPAddress.Loopback, port, listen =>
            {
                listen.UseRpc();
                listen.UseConnectionGuard(limits);
            });
        });
        WebApplication app = builder.Build();
        app.Run(router.InvokeAsync);
        await app.StartAsync();
        string address = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
        return new TestServer(app, new Uri(address));
    }

    public RpcChannel Connect(Func<RpcChannelOptions, RpcChannelOptions>? change = null)
    {
        RpcChannelOptions options = new() { Endpoint = Endpoint };
        return new RpcChannel(change is null ? options : change(options));
    }

    public async ValueTask DisposeAsync()
    {
        using CancellationTokenSource atOnce = new(TimeSpan.Zero);
        await _app.StopAsync(atOnce.Token);
        await _app.DisposeAsync();
    }
}

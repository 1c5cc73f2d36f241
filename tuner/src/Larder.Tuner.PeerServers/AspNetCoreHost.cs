using System.Collections.Concurrent;
using System.Net;
using Google.Protobuf;
using Grpc.Core;
using Larder.Protocol;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Larder.Tuner.PeerServers;

/// <summary>
/// A cache server as a team would write it with Grpc.AspNetCore: the generated service over a dictionary. It has no TTL, no memory limit and no authentication,
/// so it does less work per call than a cache needs.
/// </summary>
internal static class AspNetCoreHost
{
    public static async Task<int> RunUntilEndAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpc();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2));
        await using WebApplication application = builder.Build();
        application.MapGrpcService<DictionaryService>();
        await application.StartAsync().ConfigureAwait(false);
        string address = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        Console.WriteLine($"listening on {new Uri(address).Authority}");
        await Console.In.ReadToEndAsync().ConfigureAwait(false);
        return 0;
    }

    private sealed class DictionaryService : Scs.ScsBase
    {
        private static readonly ConcurrentDictionary<ByteString, ByteString> s_items = [];

        public override Task<GetResponse> Get(GetRequest request, ServerCallContext context) => Task.FromResult(
            s_items.TryGetValue(request.Key, out ByteString? value)
                ? new GetResponse { Result = CacheResult.Hit, Value = value }
                : new GetResponse { Result = CacheResult.Miss });

        public override Task<SetResponse> Set(SetRequest request, ServerCallContext context)
        {
            s_items[request.Key] = request.Value;
            return Task.FromResult(new SetResponse { Result = CacheResult.Ok });
        }
    }
}

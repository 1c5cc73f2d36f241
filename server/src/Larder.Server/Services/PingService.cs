using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>Ping: clients use it to connect eagerly.</summary>
internal static class PingService
{
    public const string Path = "/cache_client.Ping/Ping";

    // PingResponse has no fields: an empty message.
    public static void Map(RpcRouter router) => router.MapUnary(Path, (_, _, _) => ValueTask.CompletedTask);
}

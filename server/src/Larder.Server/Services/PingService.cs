using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The Ping call. Clients use it to open their connection before the first call.</summary>
internal static class PingService
{
    public const string Path = "/cache_client.Ping/Ping";

    // PingResponse has no fields, so the response is an empty message.
    public static void Map(RpcRouter router) => router.MapUnary(Path, (_, _, _) => ValueTask.CompletedTask);
}

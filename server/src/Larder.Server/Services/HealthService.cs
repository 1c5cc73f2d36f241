using System.Buffers;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>
/// The gRPC health service <c>grpc.health.v1.Health</c>, for orchestrators and load balancers. It requires no token and reports only whether the server can
/// serve calls.
/// </summary>
internal static class HealthService
{
    private const string Service = "/grpc.health.v1.Health/";

    // The maximum number of concurrent watches. It allows one watch for each orchestrator or load balancer. Without this limit, anonymous callers could make
    // the server check its state twice a second for a million streams.
    private const int MaxWatches = 256;

    // The polling interval of a watch, and therefore the maximum delay of a notification.
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(500);

    // The service names of the contract. The empty name means the whole server.
    private static readonly string[] s_services = ["", "cache_client.Scs", "cache_client.Ping", "cache_client.pubsub.Pubsub", "control_client.ScsControl"];

    private static readonly CallError TooMany =
        new(StatusCode.ResourceExhausted, $"the server already has the maximum of {MaxWatches} health watches; call Check instead");

    /// <summary>The wire paths of the calls.</summary>
    public static readonly IReadOnlyList<string> Paths = [Service + "Check", Service + "Watch"];

    private enum Serving : byte
    {
        Yes = 1,
        No = 2,
        ServiceUnknown = 3,
    }

    /// <summary>Returns whether a path belongs to the health service.</summary>
    public static bool Is(string path) => path.StartsWith(Service, StringComparison.Ordinal);

    /// <param name="router">The router.</param>
    /// <param name="whyNotReady">Returns the reason why the server cannot serve calls now; null if it can.</param>
    /// <param name="draining">Ends the watches on shutdown.</param>
    public static void Map(RpcRouter router, Func<string?> whyNotReady, CancellationToken draining)
    {
        router.MapUnary(Paths[0], (request, response, context) =>
        {
            if (!IsKnown(request, context))
            {
                throw CallRouting.Failure(context, new CallError(StatusCode.NotFound, "unknown service; pass an empty name to check the whole server"));
            }

            Write(response, Now(whyNotReady));
            return default;
        });
        int watches = 0;
        router.MapServerStream(Paths[1], async (request, responses, context) =>
        {
            bool isKnown = IsKnown(request, context);
            try
            {
                if (Interlocked.Increment(ref watches) > MaxWatches)
                {
                    throw CallRouting.Failure(context, TooMany);
                }

                await WatchAsync(isKnown, responses, context, whyNotReady, draining).ConfigureAwait(false);
            }
            finally
            {
                Interlocked.Decrement(ref watches);
            }
        });
    }

    private static async ValueTask WatchAsync(
        bool isKnown,
        ResponseFrames responses,
        RpcContext context,
        Func<string?> whyNotReady,
        CancellationToken draining)
    {
        using CancellationTokenSource ended = CancellationTokenSource.CreateLinkedTokenSource(context.Cancelled, draining);
        using PeriodicTimer timer = new(s_period, context.TimeProvider);
        Serving? told = null;
        while (!context.Cancelled.IsCancellationRequested)
        {
            Serving now = isKnown ? Now(whyNotReady) : Serving.ServiceUnknown;
            if (now != told)
            {
                told = now;
                Write(responses.Message, now);
                await responses.EndMessageAsync().ConfigureAwait(false);
                await responses.FlushAsync().ConfigureAwait(false);
            }

            if (draining.IsCancellationRequested)
            {
                return;
            }

            await NextAsync(timer, ended.Token).ConfigureAwait(false);
        }
    }

    /// <summary>Waits for the next check or the end of the watch.</summary>
    private static async ValueTask NextAsync(PeriodicTimer timer, CancellationToken ended)
    {
        try
        {
            await timer.WaitForNextTickAsync(ended).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The client has disconnected, or the server is shutting down.
        }
    }

    private static Serving Now(Func<string?> whyNotReady) => whyNotReady() is null ? Serving.Yes : Serving.No;

    private static bool IsKnown(in ReadOnlySequence<byte> request, RpcContext context) =>
        s_services.Contains(NameRequest.Decode(request, context), StringComparer.Ordinal);

    // A HealthCheckResponse contains an enum in field 1.
    private static void Write(IBufferWriter<byte> response, Serving serving) => response.Write<byte>([0x08, (byte)serving]);
}

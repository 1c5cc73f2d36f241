using System.Buffers;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>
/// <c>grpc.health.v1.Health</c>: what orchestrators and load balancers ask. It is open to callers without a token, and tells nothing but whether calls are
/// answered.
/// </summary>
internal static class HealthService
{
    private const string Service = "/grpc.health.v1.Health/";

    // Each orchestrator and balancer has one. Strangers may ask too, and must not make the server look twice a second for each of a million streams.
    private const int MaxWatches = 256;

    // Of a watch whose caller is told of a change this late at most.
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(500);

    // The services by their names in the contract; the empty name is the server as a whole.
    private static readonly string[] s_services = ["", "cache_client.Scs", "cache_client.Ping", "cache_client.pubsub.Pubsub", "control_client.ScsControl"];

    private static readonly CallError TooMany =
        new(StatusCode.ResourceExhausted, $"there are {MaxWatches} watches of the server's health already; ask by Check");

    /// <summary>The wire paths of its calls.</summary>
    public static readonly IReadOnlyList<string> Paths = [Service + "Check", Service + "Watch"];

    private enum Serving : byte
    {
        Yes = 1,
        No = 2,
        ServiceUnknown = 3,
    }

    /// <summary>Whether a path is one of its calls.</summary>
    public static bool Is(string path) => path.StartsWith(Service, StringComparison.Ordinal);

    /// <param name="router">Takes the calls.</param>
    /// <param name="whyNotReady">Why calls cannot be answered now; null where they can.</param>
    /// <param name="draining">Ends watches when the server goes.</param>
    public static void Map(RpcRouter router, Func<string?> whyNotReady, CancellationToken draining)
    {
        router.MapUnary(Paths[0], (request, response, context) =>
        {
            if (!IsKnown(request, context))
            {
                throw CallRouting.Failure(context, new CallError(StatusCode.NotFound, "there is no service of this name"));
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

    /// <summary>Waits for the next look, or until the watch ends.</summary>
    private static async ValueTask NextAsync(PeriodicTimer timer, CancellationToken ended)
    {
        try
        {
            await timer.WaitForNextTickAsync(ended).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The caller is gone, or the server goes.
        }
    }

    private static Serving Now(Func<string?> whyNotReady) => whyNotReady() is null ? Serving.Yes : Serving.No;

    private static bool IsKnown(in ReadOnlySequence<byte> request, RpcContext context) =>
        s_services.Contains(NameRequest.Decode(request, context), StringComparer.Ordinal);

    // HealthCheckResponse: field 1, an enum.
    private static void Write(IBufferWriter<byte> response, Serving serving) => response.Write<byte>([0x08, (byte)serving]);
}

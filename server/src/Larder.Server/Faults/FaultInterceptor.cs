using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Faults;

/// <summary>Applies a call's fault script before its handler runs: unary calls and the start of streams.</summary>
internal sealed class FaultInterceptor(FaultInjector injector, TimeProvider time)
{
    /// <summary>Holds the call back, then answers what it fails with; null where it goes on.</summary>
    public async ValueTask<Status?> InterceptAsync(RpcContext context)
    {
        if (FaultScript.Parse(context.RequestHeaders) is not { } script)
        {
            return null;
        }

        FaultDecision decision = injector.Decide(script, KebabName(context.Path));
        if (decision.Delay > TimeSpan.Zero)
        {
            await Task.Delay(decision.Delay, time, context.Cancelled).ConfigureAwait(false);
        }

        return decision.Error is { } error ? new Status(error.Code, error.Message) : null;
    }

    /// <summary>
    /// The name of a wire path in the fault metadata: <c>/cache_client.Scs/SetIf</c> is <c>set-if</c>; those on topics are <c>topic-publish</c> and
    /// <c>topic-subscribe</c>.
    /// </summary>
    internal static string KebabName(string path)
    {
        string rpc = path[(path.LastIndexOf('/') + 1)..];
        string prefix = path.Contains(".Pubsub/", StringComparison.Ordinal) ? "topic-" : "";
        return prefix + string.Concat(rpc.Select((letter, index) => char.IsUpper(letter)
            ? (index == 0 ? "" : "-") + char.ToLowerInvariant(letter)
            : letter.ToString()));
    }
}

using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Faults;

/// <summary>Applies the fault script of a call before its handler runs. Used for unary calls and at the start of streams.</summary>
internal sealed class FaultInterceptor(FaultInjector injector, TimeProvider time)
{
    /// <summary>Delays the call if its script requests a delay. Returns the error to inject, or null if the call must be executed.</summary>
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
    /// Returns the name that the fault metadata uses for a wire path, for example <c>set-if</c> for <c>/cache_client.Scs/SetIf</c>. The topic calls are named
    /// <c>topic-publish</c> and <c>topic-subscribe</c>.
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

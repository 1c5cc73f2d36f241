using Larder.Server.Faults;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>The injected fault that ends a stream of answers; none, where nobody asked for it.</summary>
/// <param name="script">What the call asked for; null: nothing.</param>
/// <param name="rpc">The call's kebab name.</param>
internal readonly struct StreamFault(FaultScript? script, string rpc)
{
    /// <summary>Ends the stream where as many messages were sent as the fault lets pass.</summary>
    /// <exception cref="RpcException">They were.</exception>
    public void ThrowIfDue(RpcContext context, int sent)
    {
        if (script?.StreamError is { } error && sent >= script.StreamErrorMessageLimit && script.StreamErrorRpcs.Contains(rpc))
        {
            throw CallRouting.Failure(context, error);
        }
    }
}

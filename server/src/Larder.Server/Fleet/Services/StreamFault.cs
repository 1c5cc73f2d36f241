using Larder.Server.Faults;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Injects an error that ends a response stream if the client has requested this fault.</summary>
/// <param name="script">The faults that the call requested, or null if it requested none.</param>
/// <param name="rpc">The call's name in kebab case.</param>
internal readonly struct StreamFault(FaultScript? script, string rpc)
{
    /// <summary>Ends the stream if it has sent the number of messages after which the client requested the fault.</summary>
    /// <exception cref="RpcException">The stream has sent that number of messages.</exception>
    public void ThrowIfDue(RpcContext context, int sent)
    {
        if (script?.StreamError is { } error && sent >= script.StreamErrorMessageLimit && script.StreamErrorRpcs.Contains(rpc))
        {
            throw CallRouting.Failure(context, error);
        }
    }
}

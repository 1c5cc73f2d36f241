using System.Text;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>A call whose request contains only a key. It runs as one Redis command on that key.</summary>
/// <param name="verb">The Redis command.</param>
internal abstract class RemoteKeyCall(string verb) : RemoteCall(isIdempotent: true)
{
    private readonly byte[] _verb = Encoding.ASCII.GetBytes(verb);

    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        BeginCommand(key, command);
        return null;
    }

    /// <summary>Begins the Redis command.</summary>
    protected virtual void BeginCommand(ReadOnlySpan<byte> key, RemoteCommand command) => command.Begin(_verb, key);
}

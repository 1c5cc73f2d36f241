using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>A call whose request is a key alone, and which is one command on it.</summary>
/// <param name="verb">The command's name, in ASCII.</param>
/// <param name="isIdempotent">Whether it may be sent again where it may have run.</param>
internal abstract class RemoteKeyCall(byte[] verb, bool isIdempotent = true) : RemoteCall(isIdempotent)
{
    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        command.Begin(verb, key);
        return null;
    }
}

using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>Delete: removes a key. The response is the same whether or not the key existed.</summary>
internal static class DeleteCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = KeyRequest.Decode(request, out ReadOnlySpan<byte> key);
        if (error is null)
        {
            // DeleteResponse has no fields, so nothing is written.
            target.Cache.Delete(key);
        }

        return error;
    }
}

using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>Delete: the same answer whether the key existed or not.</summary>
internal static class DeleteCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = KeyRequest.Decode(request, out ReadOnlySpan<byte> key);
        if (error is null)
        {
            // DeleteResponse has no fields: nothing is written.
            target.Cache.Delete(key);
        }

        return error;
    }
}

using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>How the elements of an answer are written.</summary>
internal interface IElementFormat
{
    /// <summary>Bytes at most that an element takes beside its own.</summary>
    static abstract int BytesBeside { get; }

    /// <summary>The field of <c>Found</c> whose message they are in; 0 where they are in <c>Found</c> itself.</summary>
    static abstract int Arm { get; }

    /// <summary>Writes one.</summary>
    static abstract void Write(ref ProtoWriter writer, in CollectionElement element);
}

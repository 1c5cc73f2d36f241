using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The encoding of the elements of a response.</summary>
internal interface IElementFormat
{
    /// <summary>Gets the maximum number of bytes per element in addition to its own bytes.</summary>
    static abstract int OverheadBytesPerElement { get; }

    /// <summary>Gets the field of <c>Found</c> with the message that contains the elements; 0 if they are in <c>Found</c> itself.</summary>
    static abstract int Arm { get; }

    static abstract void Write(ref ProtoWriter writer, in CollectionElement element);
}

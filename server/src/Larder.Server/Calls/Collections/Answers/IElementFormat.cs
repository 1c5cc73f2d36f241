using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The encoding of the elements of a response.</summary>
internal interface IElementFormat
{
    /// <summary>Gets the maximum number of bytes that the encoding adds to the bytes of an element.</summary>
    static abstract int OverheadBytesPerElement { get; }

    /// <summary>Gets the number of the field of <c>Found</c> whose message contains the elements. 0 means that <c>Found</c> contains them directly.</summary>
    static abstract int Arm { get; }

    static abstract void Write(ref ProtoWriter writer, in CollectionElement element);
}

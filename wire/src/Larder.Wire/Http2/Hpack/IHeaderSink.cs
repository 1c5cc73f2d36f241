namespace Larder.Wire.Http2.Hpack;

/// <summary>Receives the fields of a block as they are decoded.</summary>
internal interface IHeaderSink
{
    void Add(HeaderField field);
}

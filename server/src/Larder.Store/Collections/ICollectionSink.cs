namespace Larder.Store.Collections;

/// <summary>Receives the elements of a response. An implementation must not throw or call the store, because other threads may wait for it to return.</summary>
public interface ICollectionSink
{
    /// <summary>Receives the number of elements. Called once, before the first element.</summary>
    /// <param name="elements">The number of elements.</param>
    void Begin(long elements);

    /// <summary>Receives the next element.</summary>
    void Accept(in CollectionElement element);
}

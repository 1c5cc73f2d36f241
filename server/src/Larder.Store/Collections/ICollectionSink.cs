namespace Larder.Store.Collections;

/// <summary>Receives an answer's elements. It must not throw, nor call the store: others may wait for it.</summary>
public interface ICollectionSink
{
    /// <summary>The item is there: so many elements follow. Called once, before the first.</summary>
    /// <param name="elements">How many.</param>
    void Begin(long elements);

    /// <summary>The next element.</summary>
    void Accept(in CollectionElement element);
}

namespace Larder.Client;

/// <summary>A value for all callers of a load. Callers share a value of an immutable type. Each caller gets its own copy of any other value.</summary>
internal sealed class LoadedValue<T>
{
    private readonly EntryType<T>? _type;
    private readonly ReadOnlyMemory<byte> _stored;
    private readonly T? _value;
    private int _isTaken;

    private LoadedValue(EntryType<T>? type, ReadOnlyMemory<byte> stored, T? value, bool isTaken)
    {
        _type = type;
        _stored = stored;
        _value = value;
        _isTaken = isTaken ? 1 : 0;
    }

    /// <summary>Returns a value that all callers share.</summary>
    public static LoadedValue<T> Shared(T? value) => new(type: null, default, value, isTaken: false);

    /// <summary>Returns a value that each caller deserializes.</summary>
    public static LoadedValue<T> Copied(EntryType<T> type, ReadOnlyMemory<byte> stored) => new(type, stored, default, isTaken: true);

    /// <summary>Returns a value that has been deserialized for the first caller. Every other caller deserializes it.</summary>
    public static LoadedValue<T> Copied(EntryType<T> type, ReadOnlyMemory<byte> stored, T? first) => new(type, stored, first, isTaken: false);

    /// <summary>Returns the value for one caller. If the serializer throws, the caller gets the exception.</summary>
    public T? Take() => _type is null || Interlocked.Exchange(ref _isTaken, 1) == 0 ? _value : _type.Deserialize(_stored);
}

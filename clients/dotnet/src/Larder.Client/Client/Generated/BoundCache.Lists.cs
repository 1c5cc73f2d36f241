// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <content>Calls on lists.</content>
public sealed partial class BoundCache
{
    /// <summary>Adds an element before the first of a list, which is made where it is missing. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="value">The element.</param>
    /// <param name="truncateBackToSize">Elements at most afterwards: what is more is dropped from the back. 0: any number.</param>
    /// <param name="ttl">The list's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListPushFrontResponse> ListPushFrontAsync(
        CacheBytes name,
        CacheBytes value,
        int truncateBackToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.ListPushFrontAsync(Name, name, value, truncateBackToSize, ttl, cancellationToken);

    /// <summary>Adds an element behind the last of a list, which is made where it is missing. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="value">The element.</param>
    /// <param name="truncateFrontToSize">Elements at most afterwards: what is more is dropped from the front. 0: any number.</param>
    /// <param name="ttl">The list's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListPushBackResponse> ListPushBackAsync(
        CacheBytes name,
        CacheBytes value,
        int truncateFrontToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.ListPushBackAsync(Name, name, value, truncateFrontToSize, ttl, cancellationToken);

    /// <summary>Adds elements before the first of a list, in their order. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="values">The elements, in their order; may be none.</param>
    /// <param name="truncateBackToSize">Elements at most afterwards: what is more is dropped from the back. 0: any number.</param>
    /// <param name="ttl">The list's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListConcatenateFrontResponse> ListConcatenateFrontAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> values,
        int truncateBackToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.ListConcatenateFrontAsync(Name, name, values, truncateBackToSize, ttl, cancellationToken);

    /// <summary>Adds elements behind the last of a list, in their order. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="values">The elements, in their order; may be none.</param>
    /// <param name="truncateFrontToSize">Elements at most afterwards: what is more is dropped from the front. 0: any number.</param>
    /// <param name="ttl">The list's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListConcatenateBackResponse> ListConcatenateBackAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> values,
        int truncateFrontToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.ListConcatenateBackAsync(Name, name, values, truncateFrontToSize, ttl, cancellationToken);

    /// <summary>Gets the first element of a list and removes it. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListPopFrontResponse> ListPopFrontAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.ListPopFrontAsync(Name, name, cancellationToken);

    /// <summary>Gets the last element of a list and removes it. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListPopBackResponse> ListPopBackAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.ListPopBackAsync(Name, name, cancellationToken);

    /// <summary>Gets a slice of a list, in order.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="start">The first index; a negative one counts from the end; null: from the beginning.</param>
    /// <param name="end">The index behind the last; a negative one counts from the end; null: to the end.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListFetchResponse> ListFetchAsync(CacheBytes name, int? start = null, int? end = null, CancellationToken cancellationToken = default) =>
        _client.ListFetchAsync(Name, name, start, end, cancellationToken);

    /// <summary>Keeps a slice of a list and drops the rest. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="start">The first index; a negative one counts from the end; null: from the beginning.</param>
    /// <param name="end">The index behind the last; a negative one counts from the end; null: to the end.</param>
    /// <param name="ttl">The list's new time to live, where it refreshes; null: it keeps the one that it has.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListRetainResponse> ListRetainAsync(
        CacheBytes name,
        int? start = null,
        int? end = null,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.ListRetainAsync(Name, name, start, end, ttl, cancellationToken);

    /// <summary>Removes every element of a list that has a value.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="value">Every element that is equal to this, byte by byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListRemoveResponse> ListRemoveAsync(CacheBytes name, CacheBytes value, CancellationToken cancellationToken = default) =>
        _client.ListRemoveAsync(Name, name, value, cancellationToken);

    /// <summary>Removes ranges of a list. Never sent twice where it may have run.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="ranges">The ranges; they may overlap, and may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListEraseResponse> ListEraseAsync(CacheBytes name, IReadOnlyList<ListRange> ranges, CancellationToken cancellationToken = default) =>
        _client.ListEraseAsync(Name, name, ranges, cancellationToken);

    /// <summary>Asks how many elements a list has.</summary>
    /// <param name="name">The list's key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ListLengthResponse> ListLengthAsync(CacheBytes name, CancellationToken cancellationToken = default) =>
        _client.ListLengthAsync(Name, name, cancellationToken);
}

using System.Reflection;
using Larder.Client.Operations;

namespace Larder.Client.Tests.Operations;

/// <summary>Tests that the indexes of the operations are contiguous, and that only frequent operations are structs.</summary>
public sealed class OperationTableTests
{
    [Fact]
    public void Operation_table_indexes_are_unique_and_contiguous()
    {
        IEnumerable<OperationInfo> all = typeof(OperationTable).GetProperties().Select(static property => (OperationInfo)property.GetValue(null)!);
        Assert.Equal(Enumerable.Range(0, OperationTable.Count), all.Select(static info => info.Index).Order());
    }

    [Fact]
    public void Operation_types_have_unique_and_contiguous_indexes()
    {
        IEnumerable<int> places = Operations()
            .Select(static type => type.GetProperty("Info", BindingFlags.Public | BindingFlags.Static)!)
            .Select(static info => ((OperationInfo)info.GetValue(null)!).Index);
        Assert.Equal(Enumerable.Range(0, OperationTable.Count), places.Order());
    }

    [Fact]
    public void Only_frequent_operations_are_structs()
    {
        IEnumerable<Type> structs = Operations().Where(static type => type.IsValueType);
        Assert.Equal(
            [
                "DictionaryGetFieldOperation",
                "DictionarySetFieldOperation",
                "GetOperation",
                "ListPopBackOperation",
                "ListPopFrontOperation",
                "ListPushBackOperation",
                "ListPushFrontOperation",
                "SetOperation",
                "SortedSetGetRankOperation",
                "SortedSetPutElementOperation",
            ],
            structs.Select(static type => type.Name).Order());
    }

    private static IEnumerable<Type> Operations() =>
        typeof(CacheClient)
            .Assembly.GetTypes()
            .Where(static type =>
                type is { IsInterface: false, IsGenericType: false }
                && type.GetInterfaces().Any(static face => face.IsGenericType && face.GetGenericTypeDefinition() == typeof(IOperation<,>)));
}

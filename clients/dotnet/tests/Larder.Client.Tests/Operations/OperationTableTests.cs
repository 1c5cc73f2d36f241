using Larder.Client.Operations;

namespace Larder.Client.Tests.Operations;

/// <summary>What the table of operations costs a client.</summary>
public sealed class OperationTableTests
{
    [Fact]
    public void Every_operation_has_a_place_of_its_own_in_a_clients_pools()
    {
        IEnumerable<OperationInfo> all = typeof(OperationTable).GetProperties().Select(static property => (OperationInfo)property.GetValue(null)!);
        Assert.Equal(Enumerable.Range(0, OperationTable.Count), all.Select(static info => info.Index).Order());
    }

    [Fact]
    public void Only_get_and_set_have_machine_code_of_their_own()
    {
        IEnumerable<Type> structs = typeof(CacheClient)
            .Assembly.GetTypes()
            .Where(static type =>
                type is { IsValueType: true, IsEnum: false, IsGenericType: false }
                && type.GetInterfaces().Any(static face => face.IsGenericType && face.GetGenericTypeDefinition() == typeof(IOperation<,>)));
        Assert.Equal(["GetOperation", "SetOperation"], structs.Select(static type => type.Name).Order());
    }
}
